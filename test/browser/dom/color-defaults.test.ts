import { expect } from '@open-wc/testing';
import { namedColor, namedColors } from '../../../src/compiler/input/form-state.js';
import { sanitizeText } from '../../../src/compiler/html/sanitize.js';
import { live, place, tool, whereNotNative } from '../../support/browser/live.js';

/** The value that the browser shows for the attribute `value` of a color input. */
function shown(value: string): string {
  const control = document.createElement('input');
  control.type = 'color';
  control.setAttribute('value', value);
  return control.value;
}

/** Browsers from before 2025 do not convert colors. */
const convertsColors = shown('#f00') === '#ff0000';

const hexadecimal = ['#f00', '#F00A', '#ff0000', '#FF0000', ' #ff0000\n', '#ff000080'];
const invalid = ['', 'bogus', '#', '#ff', '#12345', '#1234567', '#123456789', '#ggg', 'ff0000', 'transparent', 'red;'];
const others = ['rgb(255, 0, 0)', 'hsl(0 100% 50%)', 'color(display-p3 1 0 0)', 'red', ' RED ', 'rebeccapurple'];

(convertsColors ? describe : describe.skip)('the value of a color input', () => {
  it('is sanitized as in the browser for hexadecimal and invalid colors', () => {
    for (const value of [...hexadecimal, ...invalid])
      expect(sanitizeText('color', value), value).to.equal(shown(value));
  });

  it('is sanitized as in the browser for color names', () => {
    expect(namedColors.size).to.equal(148);
    for (const [name, color] of namedColors) expect(color, name).to.equal(shown(name));
    for (const value of ['RED', 'Rebeccapurple']) expect(namedColor(value), value).to.equal(shown(value));
    for (const value of invalid) expect(namedColor(value), value).to.equal(undefined);
  });
});

(convertsColors ? whereNotNative : describe.skip)('the default of a color parameter', () => {
  it('is the color that the browser shows, or is missing', async () => {
    const values = [...hexadecimal, ...invalid, ...others];
    const form = place('<form toolname=t tooldescription=d toolautosubmit></form>');
    for (const [index, value] of values.entries()) {
      const control = document.createElement('input');
      Object.assign(control, { type: 'color', name: `c${index}` });
      control.setAttribute('value', value);
      form.append(control);
    }
    live({ profile: 'precise' });
    const { properties } = (await tool()).inputSchema as { properties: Record<string, { default?: string }> };
    for (const [index, value] of values.entries()) {
      expect(properties[`c${index}`]?.default, value).to.be.oneOf([shown(value), undefined]);
      if (hexadecimal.includes(value)) expect(properties[`c${index}`]?.default, value).to.equal(shown(value));
    }
  });
});
