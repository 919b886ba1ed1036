import { expect } from '@open-wc/testing';
import { live, names, place, settled, tool, whereNotNative } from '../../support/browser/live.js';

/** Two of these forms exceed the limit for the strings of a page. */
const formWithTexts = (name: string): string => {
  const inputs = Array.from({ length: 40 }, (_, index) => `<input name=n${index} aria-labelledby=text-${name}>`);
  const text = `<p id=text-${name}>${'x'.repeat(150_000)}</p>`;
  return `${text}<form toolname=${name} tooldescription=d>${inputs.join('')}</form>`;
};

const lastDescription = async (name: string): Promise<string> => {
  const { properties = {} } = (await tool(name)).inputSchema as {
    properties?: Record<string, { description?: string }>;
  };
  return properties['n39']?.description ?? '';
};

whereNotNative('the limit for the strings of a live page', () => {
  it('counts a form that changes many times only once', async () => {
    const form = place(formWithTexts('a'));
    live({ profile: 'precise' });
    for (let change = 0; change < 4; change++) {
      form.setAttribute('tooldescription', `d${change}`);
      await settled();
      expect(await lastDescription('a')).to.have.length(150_000);
    }
  });

  it('is reached by two forms, and reported, until one of them is removed', async () => {
    const codes = new Set<string>();
    const first = place(formWithTexts('a'));
    const second = place(formWithTexts('b'));
    live({ profile: 'precise', onDiagnostic: ({ code, tool: name }) => codes.add(`${name}: ${code}`) });
    expect(await lastDescription('a')).to.have.length(150_000);
    expect(await lastDescription('b')).to.equal('');
    expect(codes).to.include('b: limit-exceeded');
    first.remove();
    await settled();
    second.setAttribute('tooldescription', 'changed');
    expect(await lastDescription('b')).to.have.length(150_000);
  });

  it('does not affect the labels of ordinary forms, whatever other forms need', async () => {
    place(formWithTexts('a') + formWithTexts('b') + formWithTexts('c'));
    place('<form toolname=own tooldescription=d><label>Last<input name=n39></label></form>');
    live({ profile: 'precise' });
    expect(await lastDescription('c')).to.equal('');
    expect(await lastDescription('own')).to.equal('Last');
  });

  it('does not affect the labels of a form with many expensive patterns', async () => {
    const patterns = Array.from({ length: 1100 }, (_, index) => `<input name=p${index} pattern="\\p{L}{${index}}">`);
    place(`<form toolname=a tooldescription=d>${patterns.join('')}<label>Last<input name=n39></label></form>`);
    live({ profile: 'precise' });
    expect(await lastDescription('a')).to.equal('Last');
  });
});

whereNotNative('the limit for the size of a live form', () => {
  it('is larger than the limit for HTML source, and its message states it', async () => {
    const messages: string[] = [];
    const options = '<option>x'.repeat(110_000);
    // Without a layout, which takes browsers longer than the description.
    place(`<form toolname=a tooldescription=d><select name=s hidden>${options}</select><button>Go</button></form>`);
    live({ onDiagnostic: ({ code, message }) => void (code === 'limit-exceeded' && messages.push(message)) });
    expect(await names()).to.deep.equal(['a']);
    expect(messages).to.deep.equal([]);
    const select = document.querySelector('form[toolname=a] select') as HTMLSelectElement;
    select.insertAdjacentHTML('beforeend', '<option>x'.repeat(300_000));
    await settled();
    expect(await names()).to.deep.equal([]);
    expect(messages[0]).to.match(
      /^The form is too large, so this form is not a tool: the limit is 80000 controls or 400000 options, /,
    );
  });
});
