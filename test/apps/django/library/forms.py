from django import forms
from django.core.exceptions import ValidationError

from .models import Manuscript, OrderLine, Review


class ReviewForm(forms.ModelForm):
    class Meta:
        model = Review
        fields = ["book", "name", "email", "rating", "text"]

    def clean_text(self):
        text = self.cleaned_data["text"]
        if "http" in text:
            raise ValidationError("Reviews cannot contain links.")
        return text


class ManuscriptForm(forms.ModelForm):
    class Meta:
        model = Manuscript
        fields = ["title", "file"]


class OrderLineForm(forms.ModelForm):
    class Meta:
        model = OrderLine
        fields = ["book", "quantity", "note"]

    def clean_quantity(self):
        quantity = self.cleaned_data["quantity"]
        if quantity > 100:
            raise ValidationError("Only 100 copies are in stock.")
        return quantity


OrderFormSet = forms.modelformset_factory(OrderLine, form=OrderLineForm, extra=2)
