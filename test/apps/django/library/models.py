from django.core.exceptions import ValidationError
from django.core.validators import FileExtensionValidator, MinValueValidator
from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=80, unique=True)

    def __str__(self):
        return self.name


class Tag(models.Model):
    name = models.CharField(max_length=40)

    def __str__(self):
        return self.name


class Book(models.Model):
    title = models.CharField(max_length=120, help_text="As on the cover.")
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag, blank=True)
    published = models.DateField(null=True, blank=True)
    price = models.DecimalField(max_digits=6, decimal_places=2, default=0, validators=[MinValueValidator(0)])
    in_print = models.BooleanField(default=True)
    summary = models.TextField(blank=True)
    cover = models.ImageField(upload_to="covers", blank=True)

    def __str__(self):
        return self.title


class Chapter(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)

    class Meta:
        unique_together = [("book", "number")]


class Review(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    name = models.CharField("your name", max_length=40)
    email = models.EmailField("e-mail")
    rating = models.IntegerField(choices=[(stars, "★" * stars) for stars in range(1, 6)])
    text = models.TextField("review")

    def clean(self):
        if self.rating == 1 and len(self.text or "") < 20:
            raise ValidationError("One star needs a longer explanation.")


class Manuscript(models.Model):
    title = models.CharField(max_length=80)
    file = models.FileField(upload_to="manuscripts", validators=[FileExtensionValidator(["txt", "pdf"])])


class OrderLine(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    quantity = models.PositiveIntegerField()
    note = models.CharField(max_length=80, blank=True)


class Poll(models.Model):
    question = models.CharField(max_length=80)
    is_open = models.BooleanField(default=True)


class Vote(models.Model):
    poll = models.ForeignKey(Poll, on_delete=models.CASCADE)
    answer = models.CharField(max_length=10)
    voter = models.CharField(max_length=40)
