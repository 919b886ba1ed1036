import '@angular/compiler';
import { Component, createComponent, provideZonelessChangeDetection, signal } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { injectTool } from './angular.js';
import { cartText, cartTool, type Mount } from './cart.js';

const shop = signal('the shop');

class Cart {
  readonly count = signal(0);
  readonly text = (): string => cartText(this.count());

  constructor() {
    injectTool(() => cartTool(shop(), this.count(), (change) => this.count.update(change)));
  }
}
Component({ selector: 'x-cart', template: '<p>{{ text() }}</p>' })(Cart);

export const mount: Mount = async (container) => {
  shop.set('the shop');
  const app = await createApplication({ providers: [provideZonelessChangeDetection()] });
  const cart = createComponent(Cart, { environmentInjector: app.injector, hostElement: container });
  app.attachView(cart.hostView);
  return {
    text: () => container.textContent,
    setShop: (name) => shop.set(name),
    unmount: () => {
      cart.destroy();
      app.destroy();
    },
  };
};
