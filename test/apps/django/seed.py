"""Fills a new database. The arguments are the names of the accounts, which all have the same password."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "library.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402

from library.models import Author, Book, Chapter, Poll, Tag  # noqa: E402

password, *accounts = sys.argv[1:]
for account in accounts:
    User.objects.create_superuser(account, f"{account}@example.com", password)

User.objects.create_user("guest", "guest@example.com", password, is_staff=True)

authors = [Author.objects.create(name=name) for name in ["Ursula K. Le Guin", "Stanisław Lem", "村上春樹"]]
tags = [Tag.objects.create(name=name) for name in ["Novel", "Essay", "Translation"]]

# One book for each path, because the tests change them.
for title in ["The Dispossessed", "Solaris", "The Left Hand of Darkness", "Fiasco", "Eden", "The Lathe of Heaven"]:
    book = Book.objects.create(title=title, author=authors[0])
    book.tags.set(tags[2:])
    Chapter.objects.create(book=book, number=1, title="The first")

for question in ["Longer opening hours?", "A café?", "More chairs?"]:
    Poll.objects.create(question=question)
