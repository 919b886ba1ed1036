import '@angular/compiler';
import { Component, createComponent, provideZonelessChangeDetection, signal } from '@angular/core';
import { FormControl, FormGroup, ReactiveFormsModule, type ValidatorFn } from '@angular/forms';
import { createApplication } from '@angular/platform-browser';
import {
  checkMail,
  checkVat,
  confirmation,
  kindOptions,
  orderOf,
  toolMarkup,
  type MountOrder,
  type Shop,
} from './order.js';

const validator =
  (check: (value: string) => string | undefined): ValidatorFn =>
  ({ value }) => {
    const message = check(value as string);
    return message === undefined ? null : { message };
  };

let shop: Shop;

/** https://angular.dev/guide/forms/reactive-forms */
class OrderForm {
  readonly group = new FormGroup({
    kind: new FormControl('', { nonNullable: true }),
    mail: new FormControl('', { nonNullable: true, validators: validator(checkMail) }),
    vat: new FormControl({ value: '', disabled: true }, { nonNullable: true, validators: validator(checkVat) }),
  });
  readonly kind = this.group.controls.kind.valueChanges;
  readonly isSending = signal(false);
  readonly status = signal('');

  constructor() {
    this.kind.subscribe((kind) => this.group.controls.vat[kind === 'company' ? 'enable' : 'disable']());
  }

  messageOf(name: 'mail' | 'vat'): unknown {
    const { invalid, dirty, touched, errors } = this.group.controls[name];
    return invalid && (dirty || touched) && (errors?.['message'] as unknown);
  }

  async submit(): Promise<void> {
    this.group.markAllAsTouched();
    if (this.group.invalid) return;
    this.isSending.set(true);
    await shop.order(() => orderOf(this.group.value));
    this.isSending.set(false);
    if (shop.resets) this.group.reset();
    this.status.set(confirmation);
  }
}
Component({
  selector: 'x-order',
  imports: [ReactiveFormsModule],
  template: `<form ${toolMarkup} [formGroup]="group" (ngSubmit)="submit()">
    <select name="kind" formControlName="kind">${kindOptions}</select>
    @if (group.controls.kind.value === 'company') {
      <label>VAT number <input name="vat" formControlName="vat"></label>
    }
    @if (messageOf('vat'); as message) { <div class="alert alert-danger">{{ message }}</div> }
    <label>E-mail <input name="mail" type="email" formControlName="mail"></label>
    @if (messageOf('mail'); as message) { <div class="alert alert-danger">{{ message }}</div> }
    <button [disabled]="isSending()">Order</button>
  </form>
  <p role="status">{{ status() }}</p>`,
})(OrderForm);

export const mountAngular: MountOrder = async (container, current) => {
  shop = current;
  const app = await createApplication({ providers: [provideZonelessChangeDetection()] });
  const form = createComponent(OrderForm, { environmentInjector: app.injector, hostElement: container });
  app.attachView(form.hostView);
  return () => app.destroy();
};
