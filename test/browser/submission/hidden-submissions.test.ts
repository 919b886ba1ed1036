import { expect } from '@open-wc/testing';
import { afterTest, call, live, placeTool, whereNotNative } from '../../support/browser/live.js';

// In a file of its own, because the first call adds a listener to the window that stays there.
whereNotNative('a form whose submit event is stopped by a listener of the window', () => {
  it('keeps its values, because the page may read them later', async () => {
    let read: unknown;
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      setTimeout(() => (read = document.querySelector<HTMLInputElement>('[name=a]')?.value), 300);
    };
    window.addEventListener('submit', stop, true);
    afterTest(() => window.removeEventListener('submit', stop, true));
    live();
    placeTool('<input name=a value=old><button>Go</button>');
    const { errors } = await call({ a: 'new' }).then(
      () => ({ errors: [] }),
      (error: unknown) => error as { readonly errors: readonly { readonly code: string }[] },
    );
    expect(errors.map(({ code }) => code)).to.deep.equal(['not-answered']);
    await new Promise((resolve) => void setTimeout(resolve, 400));
    expect(read).to.equal('new');
  });
});
