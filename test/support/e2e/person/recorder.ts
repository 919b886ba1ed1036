/** A control of a form before its submission. */
export interface ControlRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly checked?: boolean;
  readonly selected?: readonly string[];
  readonly files?: readonly string[];
  readonly isDisabled: boolean;
  readonly isValid: boolean;
  /** The types of its `input` and `change` events, without consecutive repetitions. */
  readonly events: string;
}

/** An event of the page that a run waits for: a control is invalid, a script or a dialog ends the submission, or a call waits for its user. */
export type Signal = 'invalid' | 'ended' | 'awaits';

declare global {
  interface Window {
    /** Sends the controls of the form as JSON when its button is pressed. */
    sendControls(controls: string): void;
    /** The form of the tool, also in open shadow roots. */
    findForm: () => HTMLFormElement;
    /** The first enabled submit button of that form, or else its first enabled input. */
    findSubmit: () => HTMLElement;
    /** The controls of a form, also if one of them is named `elements`. */
    controlsOfForm: (form: Element) => readonly Element[];
    sendSignal(signal: Signal): void;
  }
}

/** Records the controls and the events of the tool's form. It runs in the page before its scripts. */
export function record(): void {
  const events = new WeakMap<EventTarget, string[]>();
  const isTool = (form: Element | null): form is HTMLFormElement =>
    form !== null && (form.getAttribute('toolname') ?? form.getAttribute('data-toolname')) !== null;
  window.controlsOfForm = (form) => [
    ...Reflect.get<HTMLFormElement, 'elements'>(HTMLFormElement.prototype, 'elements', form),
  ];
  const rootsIn = (root: Document | ShadowRoot): readonly (Document | ShadowRoot)[] => [
    root,
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
  ];
  window.findForm = () =>
    rootsIn(document).flatMap((root) => [...root.querySelectorAll('form')].filter(isTool))[0] as HTMLFormElement;
  window.findSubmit = () => {
    const form = window.findForm();
    const buttons = [...(form.getRootNode() as Document).querySelectorAll<HTMLButtonElement>('button, input')].filter(
      (each) => each.form === form && /^(?:submit|image)$/.test(each.type) && !each.matches(':disabled, [hidden]'),
    );
    const fields = window.controlsOfForm(form).filter((each) => each.matches('input:not([type=hidden], :disabled)'));
    return (buttons[0] ?? fields[0]) as HTMLElement;
  };

  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  type Control = Omit<HTMLInputElement, 'type'> &
    Pick<HTMLSelectElement, 'selectedOptions'> & { readonly type: string };
  const recordOf = (element: Element): ControlRecord => {
    const { name, type, value, validity, files, selectedOptions, checked } = element as Element & Control;
    const isFile = type === 'file';
    return {
      ...{ name, type, value: isFile ? '' : decoder.decode(encoder.encode(value)) }, // well-formed, like messages of the protocol
      ...((type === 'checkbox' || type === 'radio') && { checked }),
      ...(element.localName === 'select' && { selected: [...selectedOptions].map((option) => option.value) }),
      ...(isFile && { files: [...(files ?? [])].map((file) => file.name) }),
      isDisabled: element.matches(':disabled'),
      isValid: validity.valid,
      events: (events.get(element) ?? []).join(' '),
    };
  };
  let isSent = false;
  const send = (form: Element | null): void => {
    if (!isTool(form) || isSent) return;
    isSent = true;
    const controls = window
      .controlsOfForm(form)
      .filter((element) => 'validity' in element && element.localName !== 'button' && !element.localName.includes('-'))
      .map(recordOf);
    window.sendControls(JSON.stringify(controls));
  };

  for (const type of ['input', 'change'])
    addEventListener(
      type,
      (event) => {
        const target = event.composedPath()[0] as EventTarget;
        const list = events.get(target) ?? [];
        if (list.at(-1) !== type) events.set(target, [...list, type]);
      },
      true,
    );
  addEventListener(
    'click',
    (event) => {
      const button = (event.composedPath() as Element[]).find(
        ({ localName, type }: Element & { type?: string }) =>
          (localName === 'button' || localName === 'input') && (type === 'submit' || type === 'image'),
      );
      if (button) send((button as HTMLButtonElement).form);
    },
    true,
  );
  const end = (): void => window.sendSignal('ended');
  addEventListener('submit', (event) => send(event.composedPath()[0] as Element), true);
  addEventListener('submit', (event) => void (event.defaultPrevented && end()));
  addEventListener('invalid', () => window.sendSignal('invalid'), true);
  addEventListener('close', end, true); // of a dialog
  addEventListener('webmcp-await-user', () => window.sendSignal('awaits'), true);
}
