import { computed, reactive, ref, shallowRef, type Ref } from 'vue';
import type { ProfileName } from '../../../src/compiler/index.js';
import { CallError, noCall, type CallState, type RunningCall } from './call/call-state.js';
import type { Editor, Position } from './editor/editor.js';
import { examples } from './examples.js';
import type { FrameMessage } from './frame/messages.js';
import { limits } from './limits.js';
import type { Comparison, FormInspection, FormReading, PageReading } from './reading.js';
import { RenderedPage } from './rendered-page.js';
import { Updates } from './updates.js';
import { Compiler } from './worker/compiler.js';

/** The elements and parts that exist only in a browser. */
export interface PlaygroundParts {
  readonly frameParent: HTMLElement;
  readonly frameScript: string;
  /** Whether the frame runs in a thread of its own, so that nothing in it can block this page. */
  readonly isIsolated: boolean;
  /** Creates the editor. It calls the function after each change. */
  createEditor(onChange: () => void): Editor;
}

/** What was blocked in the frame, with its number. */
export type Blocked = ReadonlyMap<string, number>;

const maxBlocked = 20;

/** The state of the playground and what visitors can do. It renders on servers; `start` needs a browser. */
export class Playground {
  readonly reading = shallowRef<PageReading>();
  readonly comparison = shallowRef<Comparison>();
  readonly selected = ref(0);
  /** The index of the example that the editor has; -1 for another page. */
  readonly example = ref(0);
  readonly profile: Ref<ProfileName> = ref('precise');
  readonly call = shallowRef<CallState>(noCall);
  readonly runsScripts = ref(false);
  /** What was stopped, and why. */
  readonly problem = ref('');
  /** The outcome of the last action, for screen readers too. */
  readonly status = ref('');
  readonly isStarted = ref(false);
  readonly isIsolated = ref(true);
  /** Whether the frame shows the page. */
  readonly isRendered = ref(false);
  readonly blocked = reactive(new Map<string, number>());
  readonly form = computed<FormReading | undefined>(() => this.reading.value?.forms[this.selected.value]);
  #compiler: Compiler | undefined;
  #editor: Editor | undefined;
  #page: RenderedPage | undefined;
  #shownId = 0;
  #running: RunningCall | undefined;
  readonly #updates = new Updates(() => this.#update());

  start(parts: PlaygroundParts): void {
    const { frameParent: parent, frameScript: script, isIsolated } = parts;
    this.isIsolated.value = isIsolated;
    this.#compiler = new Compiler();
    this.#page = new RenderedPage({
      parent,
      script,
      isIsolated,
      onMessage: (message) => this.#receive(message),
      onStopped: (ranScripts) => this.#onFrameStopped(ranScripts),
    });
    this.#editor = parts.createEditor(() => this.#onChange());
    this.isStarted.value = true;
    this.#recognizeExample();
    this.#updates.request(0);
  }

  end(): void {
    this.#updates.end();
    this.#compiler?.end();
    this.#page?.end();
    this.#editor?.end();
  }

  get source(): string {
    return this.#editor?.text ?? examples[0].html;
  }

  /** Opens another page, whose scripts do not run before the visitor turns them on. */
  open(html: string): void {
    this.selected.value = 0;
    this.runsScripts.value = false;
    this.status.value = '';
    this.#editor?.replace(html);
  }

  /** Adds the suggested annotations of forms to the page. */
  applySuggestions(forms: readonly FormReading[]): void {
    const edits = forms.flatMap(({ suggestion }) => suggestion?.edits ?? []);
    if (edits.length === 0 || this.#updates.isPending) return;
    this.#editor?.apply(edits);
    const what = forms.length === 1 ? 'The suggestion was applied.' : `${forms.length} suggestions were applied.`;
    this.status.value = `${what} Undo it in the editor with Ctrl+Z.`;
  }

  reveal(place: Position): void {
    this.#editor?.reveal(place);
  }

  /** The parameters of the selected form; undefined without a form. */
  async inspect(): Promise<FormInspection | undefined> {
    return this.form.value && this.#compiler?.inspect(this.selected.value);
  }

  /** Calls the tool of the selected form. Null if the browser would have sent the form and opened another page. */
  async callTool(input: string, signal: AbortSignal): Promise<string | null> {
    await this.#updates.settled(); // an update may replace the frame, which would never answer
    this.clearCall();
    if (signal.aborted) throw new CallError(canceled);
    if (!this.isRendered.value || !this.#page) throw new CallError(notRendered);
    const id = this.#page.call(this.selected.value, this.profile.value, input);
    const call = new Promise<string | null>((resolve, reject) => (this.#running = { id, resolve, reject }));
    signal.addEventListener('abort', () => this.#running?.id === id && this.clearCall(), { once: true });
    return call;
  }

  /** Ends the running call, and removes what it has shown. */
  clearCall(): void {
    if (this.#running) this.#page?.cancel();
    this.#endCall()?.reject(new CallError(canceled));
    this.call.value = noCall;
  }

  submit(): void {
    this.#page?.submit();
  }

  /** Turns the scripts of the page on, if a script that does not end would not block this page too. */
  setScripts(isOn: boolean): void {
    const isPossible = !isOn || this.isIsolated.value;
    this.problem.value = isPossible ? '' : notIsolated;
    this.runsScripts.value = isOn && isPossible;
    this.status.value = this.runsScripts.value ? 'The scripts of the page run in the frame.' : '';
    if (isPossible) this.#updates.request(0);
  }

  #onChange(): void {
    const length = this.#editor?.length ?? 0;
    this.problem.value = '';
    this.#recognizeExample();
    this.clearCall();
    this.#updates.request(this.runsScripts.value ? 500 : length > limits.large ? 300 : 0);
  }

  #recognizeExample(): void {
    const length = this.#editor?.length;
    this.example.value = examples.findIndex(({ html }) => html.length === length && html === this.source);
  }

  async #update(): Promise<void> {
    try {
      const reading = await this.#compiler?.read(this.source);
      if (reading) this.#show(reading);
    } catch (error) {
      this.problem.value = (error as Error).message;
      this.reading.value = undefined;
      this.isRendered.value = false;
      this.#page?.end();
    }
  }

  #show(reading: PageReading): void {
    this.reading.value = reading;
    this.comparison.value = undefined;
    this.selected.value = Math.max(0, Math.min(this.selected.value, reading.forms.length - 1));
    if (!this.#updates.isRequested) this.#editor?.showFindings(reading.findings);
    this.#render(reading);
  }

  #render({ markup, hasClosedRoot }: PageReading): void {
    this.blocked.clear();
    const isUnsafe = hasClosedRoot && !this.isIsolated.value;
    if (isUnsafe) this.problem.value = closedRoot;
    this.isRendered.value = markup !== null && !isUnsafe;
    if (markup === null || isUnsafe) return this.#page?.end();
    this.#shownId = this.#page?.show(markup, this.runsScripts.value) ?? 0;
  }

  #onFrameStopped(ranScripts: boolean): void {
    const problem = ranScripts ? stoppedScript : stoppedFrame;
    this.#endCall()?.reject(new CallError(problem));
    this.call.value = noCall;
    this.isRendered.value = false;
    this.problem.value = problem;
    this.runsScripts.value = false;
    this.status.value = '';
    if (ranScripts && this.reading.value) this.#render(this.reading.value);
  }

  #receive(message: FrameMessage): void {
    if (message.kind === 'blocked') this.#countBlocked(message.what);
    else if (message.kind === 'shown') void this.#compare(message);
    else if (message.kind === 'submission') this.call.value = { isWaiting: false, submission: message.submission };
    else if ('id' in message && message.id === this.#running?.id) this.#receiveOutcome(message);
  }

  #receiveOutcome(message: FrameMessage): void {
    if (message.kind === 'waiting') this.call.value = { isWaiting: true };
    else if (message.kind === 'result') this.#endCall()?.resolve(message.result || null);
    else if (message.kind === 'error') {
      this.call.value = noCall;
      this.#endCall()?.reject(new CallError(message.message, message.errors));
    }
  }

  #endCall(): RunningCall | undefined {
    const call = this.#running;
    this.#running = undefined;
    return call;
  }

  #countBlocked(what: string): void {
    if (this.blocked.has(what) || this.blocked.size < maxBlocked)
      this.blocked.set(what, (this.blocked.get(what) ?? 0) + 1);
  }

  async #compare({ id, forms }: Extract<FrameMessage, { readonly kind: 'shown' }>): Promise<void> {
    if (id !== this.#shownId) return;
    try {
      const comparison = await this.#compiler?.compare(forms);
      if (id === this.#shownId) this.comparison.value = comparison;
    } catch (error) {
      this.problem.value = (error as Error).message;
    }
  }
}

const canceled = 'The call was canceled.';
const stoppedScript = `The page did not answer for ${limits.scriptMs / 1000} seconds: a script does not end, sends too many messages, takes the focus, or has opened another page. It was stopped, and the page is shown without its scripts.`;
const stoppedFrame = `Rendering the page took more than ${limits.frameMs / 1000} seconds and was stopped. Shorten the page.`;
const closedRoot =
  'This browser renders the frame of the page in the same thread as this page, so a page with a closed shadow root, which cannot be checked, is not rendered.';
const notRendered = 'The page is not rendered, so its tool cannot be called.';
const notIsolated =
  'This browser runs the frame of the page in the same thread as this page, so a script that does not end would block both. The scripts were not run. Use Chromium, Chrome or Edge on a computer to run them.';
