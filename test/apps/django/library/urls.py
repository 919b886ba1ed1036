from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

from . import views

urlpatterns = [
    path("", views.index, name="index"),
    path("admin/", admin.site.urls),
    path("accounts/", include("django.contrib.auth.urls")),
    path("manuscript/", views.manuscript, name="manuscript"),
    path("order/", views.order, name="order"),
    path("search/", views.search, name="search"),
    path("crash/", views.crash, name="crash"),
    path("poll/<int:pk>/", views.poll, name="poll"),
    *i18n_patterns(path("review/", views.review, name="review")),
]
