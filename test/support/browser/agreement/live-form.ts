import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import {
  describeForm,
  synthesizeParameters,
  synthesizeTool,
  type DescribedForm,
  type ProfileName,
  type SynthesizedParameter,
} from '../../../../src/compiler/index.js';
import { Ajv2020, formats } from './ajv.js';
import type { Input } from './values.js';

const datalist =
  '<datalist id=l><option value=abc><option value="2024-03-15"><option value=09:30><option value=7></datalist>';

export interface LiveForm extends DescribedForm<Element> {
  /** Returns the controls of a new form with the same content, in the same order. */
  readonly newControls: () => readonly Element[];
}

function containerOf(content: string): HTMLElement {
  const container = document.createElement('div');
  container.hidden = true;
  container.innerHTML = `<form>${content}</form>${datalist}`;
  return container;
}

/** Runs a function with a new form in the page, and removes the form. */
export function withForm<Result>(content: string, use: (form: LiveForm) => Result): Result {
  const container = containerOf(content);
  document.body.append(container);
  const form = describeForm<Node, Element>(domTree, container.firstChild as Element);
  const elements = [...container.querySelectorAll('*')];
  const positions = form.controls.map((control) => elements.indexOf(control));
  const newControls = (): readonly Element[] => {
    const found = containerOf(content).querySelectorAll('*');
    return positions.map((position) => found[position] as Element);
  };
  try {
    return use({ ...form, newControls });
  } finally {
    container.remove();
  }
}

/** Whether this browser does not support the type of an input: Firefox has no month and week. */
export const lacksType = ({ controls }: DescribedForm<Element>): boolean =>
  controls.some((control) => {
    const type = control.getAttribute('type') ?? '';
    return ['month', 'week'].includes(type) && (control as HTMLInputElement).type !== type;
  });

const ajv = new Ajv2020({ strict: true, code: { optimize: false } });
formats.default(ajv);

/** The parameters of a form in a profile, and a validator of its schema. */
export interface Tool {
  readonly parameters: readonly SynthesizedParameter[];
  readonly accepts: (input: Input) => boolean;
}

export function toolOf({ description }: DescribedForm<Element>, profile: ProfileName): Tool {
  const schema = synthesizeTool(description, { profile }).inputSchema;
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return { parameters: synthesizeParameters(description, { profile }), accepts: (input) => validate(input) };
}
