import { expect } from '@open-wc/testing';
import { call, errorCodes, live, placeTool, whereNotNative } from '../../support/browser/live.js';

whereNotNative('a form of 20,000 controls', () => {
  it('has the value of a call in one control, and is restored if another value is invalid', async () => {
    const controls = Array.from({ length: 20_000 }, (_, index) => `<input name=n${index} value=v>`);
    // Without a layout, which takes browsers longer than the call.
    const form = placeTool(`<div hidden>${controls.join('')}</div><input name=last type=number min=5>`);
    live();
    const inputs = Array.from(form.elements) as HTMLInputElement[];
    const changed = (): string[] => inputs.filter(({ value }) => value !== 'v').map(({ name }) => name);
    expect(await errorCodes(call({ n5000: 'x', last: 1 }))).to.deep.equal(['last: range-underflow']);
    expect(changed()).to.deep.equal(['last']);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith(changed());
    });
    expect(await call({ n5000: 'x' })).to.equal('["n5000","last"]');
  });
});
