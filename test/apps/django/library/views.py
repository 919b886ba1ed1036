from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render

from .forms import ManuscriptForm, OrderFormSet, ReviewForm
from .models import Book, OrderLine, Poll, Vote


def index(request):
    return render(request, "library/index.html")


def review(request):
    form = ReviewForm(request.POST or None)
    if form.is_valid():
        saved = form.save()
        messages.success(request, f"Review {saved.pk} of {saved.book} was saved.")
        return redirect(request.path)
    return render(request, "library/review.html", {"form": form})


@login_required
def manuscript(request):
    form = ManuscriptForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        messages.success(request, f"Manuscript {form.save().pk} was received.")
        return redirect("manuscript")
    return render(request, "library/manuscript.html", {"form": form})


@login_required
def order(request):
    formset = OrderFormSet(request.POST or None, queryset=OrderLine.objects.none())
    if request.method == "POST" and formset.is_valid():
        messages.success(request, f"Your order has {len(formset.save())} lines.")
        return redirect("order")
    return render(request, "library/order.html", {"formset": formset})


def search(request):
    words = request.GET.get("q", "")
    books = Book.objects.filter(title__icontains=words).order_by("title") if words else []
    return render(request, "library/search.html", {"words": words, "books": books})


def crash(request):
    if request.method == "POST":
        raise RuntimeError("The printing press is broken.")
    return render(request, "library/crash.html")


def poll(request, pk):
    found = get_object_or_404(Poll, pk=pk)
    if request.method == "POST" and found.is_open:
        Vote.objects.create(poll=found, answer=request.POST["answer"], voter=request.POST["voter"])
        messages.success(request, "Thank you for your vote.")
        return redirect("poll", pk=pk)
    return render(request, "library/poll.html", {"poll": found})
