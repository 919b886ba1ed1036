from django.contrib import admin

from .models import Author, Book, Chapter, Tag


class ChapterInline(admin.TabularInline):
    model = Chapter
    extra = 1


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    search_fields = ["name"]


@admin.register(Tag)
class TagAdmin(admin.ModelAdmin):
    pass


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    autocomplete_fields = ["author"]
    filter_horizontal = ["tags"]
    inlines = [ChapterInline]
    list_filter = ["in_print"]
    search_fields = ["title"]
