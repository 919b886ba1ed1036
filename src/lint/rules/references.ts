import { splitOnAsciiWhitespace } from '../../compiler/html/text.js';
import { preview } from '../../compiler/preview.js';
import { attributeOf } from '../page/place.js';
import { atControl, defineRules } from './rule.js';

const maxReferences = 20;

/** The attributes whose IDs describe a control. */
const referring = ['aria-labelledby', 'aria-describedby', 'list'];

export const referenceRules = defineRules({
  'label-outside-form': {
    level: 'warning',
    summary: 'A label names a control of a form from outside of the form.',
    *check(tool) {
      for (const [index, { words }] of tool.form.controls.entries()) {
        for (const { source, location } of words) {
          if (source !== 'outside-label') continue;
          const message =
            'The label is outside of the form of its control, so it is ignored, except with the profile chromium. Move it into the form, or exclude the content of visitors with data-webmcp-ignore.';
          yield { message, ...atControl(tool, index), place: location };
        }
      }
    },
  },
  'repeated-id': {
    level: 'warning',
    summary: 'Several elements have the ID of a control or of an element that describes one.',
    *check(tool) {
      const { scope } = tool;
      const isRepeated = (id: string): boolean => (scope?.allById(id).length ?? 0) > 1;
      for (const [index, control] of tool.controls.entries()) {
        const id = attributeOf(control, 'id') ?? '';
        const names = ['id', ...referring].filter((name) => attributeOf(control, name) !== undefined);
        for (const name of names) {
          const value = attributeOf(control, name) ?? '';
          const ids = name === 'id' || name === 'list' ? [value] : splitOnAsciiWhitespace(value);
          const repeated = ids.slice(0, maxReferences).find(isRepeated);
          if (repeated === undefined || (name === 'id' && scope?.labelsFor(id).length === 0)) continue;
          const message = `Several elements of the page have the ID ${preview(repeated)}, so only one in the form of the control can describe it. Use an ID of its own.`;
          yield { message, ...atControl(tool, index), attributes: [name] };
        }
      }
    },
  },
});
