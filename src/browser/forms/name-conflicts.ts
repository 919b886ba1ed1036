import { MultiMap, SafeMap, SafeSet } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';
import { queueTask } from '../../platform/tasks.js';
import type { DiscoveredForm, Registrations } from '../discovery/registrations.js';
import type { LiveForm } from './live-form.js';

/**
 * The described forms of a document. Stored on its window, because the scripts of a page and of its elements have their own
 * copies of these modules.
 */
interface Names {
  readonly document: Document;
  readonly byName: MultiMap<string, DiscoveredForm>;
  /** The names that different forms have. */
  readonly conflicts: Set<string>;
}

/** The key of the names on a window. The number changes with `Names`, which other versions of this package may share. */
const namesKey = Symbol.for('webmcp-forms.names.1');

function namesOf(window: Window): Names {
  const { document } = window;
  const known = Object.getOwnPropertyDescriptor(window, namesKey)?.value as Names | undefined;
  if (known?.document === document) return known;
  const value: Names = { document, byName: new MultiMap(), conflicts: new SafeSet() };
  define(window, namesKey, { value, configurable: true });
  return value;
}

/**
 * Registers forms, unless different forms of the document, also in other roots, have the same name: one of them may be
 * user-generated content. Of equal forms, the first is registered.
 */
export class NameConflicts {
  readonly #registrations: Registrations;
  readonly #names: Names;
  /** The names whose forms may have changed since `settle`. */
  readonly #touched = new SafeSet<string>();
  readonly #changed = new SafeSet<DiscoveredForm>();

  constructor(registrations: Registrations, window: Window) {
    this.#registrations = registrations;
    this.#names = namesOf(window);
    registrations.conflicts = this.#names.conflicts;
  }

  /** @param hasChanged - whether the form has to be registered again */
  set(form: DiscoveredForm, hasChanged: boolean): void {
    form.registrations = this.#registrations;
    const before = this.#touch(form);
    this.#registrations.claim(form);
    const after = this.#touch(form);
    this.#names.byName.move(form, form.claimed === before[0] ? [] : before, after);
    if (hasChanged) this.#changed.add(form);
    else this.#report(form);
  }

  remove(form: DiscoveredForm): void {
    this.#names.byName.move(form, this.#touch(form), []);
    this.#changed.delete(form);
  }

  /**
   * Registers the changed forms, once all changes are known: two forms may be swapping names.
   *
   * @param called - the name of the tool that is about to be called
   */
  settle(called?: string | null): void {
    for (const name of called ? [called] : this.#names.conflicts) this.#touched.add(name);
    for (const name of this.#touched) this.#compare(name, called);
    this.#touched.clear();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const form of changed) form.registrations?.set(form);
    for (const form of changed) this.#report(form);
  }

  /** Reports in a task that another tool has the name of a form, because two forms may be swapping their names now. */
  #report(form: DiscoveredForm): void {
    const { claimed: name } = form;
    const isWaiting = (): boolean =>
      form.registered === undefined && name !== undefined && !this.#names.conflicts.has(name);
    if (isWaiting())
      queueTask(() => form.claimed === name && isWaiting() && form.live?.reportNameTaken(name as string));
  }

  /** Returns the name, if the form has one. */
  #touch({ claimed }: DiscoveredForm): readonly string[] {
    if (claimed === undefined) return [];
    this.#touched.add(claimed);
    return [claimed];
  }

  #compare(name: string, called: string | null | undefined): void {
    const { byName, conflicts } = this.#names;
    const described = [...byName.get(name)].flatMap(({ live }) => (live?.isDescribed ? live : []));
    const forms = [...new SafeMap(described.map((form) => [form.element, form])).values()]; // two roots can have the same form
    const identities =
      forms.length > 1 ? forms.map((form) => form.identity(name === called || conflicts.has(name))) : [];
    const isFirst = identities.map((identity) => identity === identities[0]);
    const isConflict = isFirst.includes(false);
    if (isConflict !== conflicts.has(name)) for (const { discovered } of described) this.#changed.add(discovered);
    if (!isConflict) return void conflicts.delete(name);
    conflicts.add(name);
    const [first, second] = [forms[0], forms[isFirst.indexOf(false)]] as [LiveForm, LiveForm];
    for (const [index, form] of forms.entries())
      if (this.#changed.has(form.discovered)) form.reportNameTaken(name, isFirst[index] ? second : first);
  }
}
