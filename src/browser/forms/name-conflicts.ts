import { formIdentity } from '../../compiler/form-identity.js';
import { SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import type { Registrations } from '../discovery/registrations.js';
import type { LiveForm } from './live-form.js';
import { MultiMap } from './multi-map.js';

/**
 * Registers forms, except those of a name that different forms have: one of them may be in content that a visitor wrote. Of
 * forms that are the same, the first is registered.
 */
export class NameConflicts {
  readonly #registrations: Registrations;
  readonly #byName = new MultiMap<string, LiveForm>();
  readonly #names = new SafeWeakMap<LiveForm, string>();
  readonly #identities = new SafeWeakMap<LiveForm, string>();
  readonly #conflicts = new SafeSet<string>();
  /** The names whose forms may have changed since `settle`. */
  readonly #touched = new SafeSet<string>();
  readonly #changed = new SafeSet<LiveForm>();

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  /** @param hasChanged - whether the form has to be registered again */
  set(form: LiveForm, hasChanged: boolean): void {
    this.#identities.delete(form);
    this.#move(form, form.tool?.name);
    if (hasChanged) this.#changed.add(form);
  }

  remove(form: LiveForm): void {
    this.#move(form, undefined);
    this.#changed.delete(form);
    this.#registrations.remove(form.discovered);
  }

  /** Registers the changed forms, once all changes are known: two forms may be swapping names. */
  settle(): void {
    for (const name of this.#touched) this.#compare(name);
    this.#touched.clear();
    const changed = [...this.#changed];
    this.#changed.clear();
    // A form that waits would get the name of one that is removed.
    const conflicting = changed.filter((form) => this.#isConflicting(form));
    conflicting.sort((a, b) => Number(b.isWaiting) - Number(a.isWaiting));
    for (const form of conflicting) this.#registrations.remove(form.discovered);
    for (const form of changed) if (!this.#isConflicting(form)) this.#registrations.set(form.discovered);
  }

  #move(form: LiveForm, name: string | undefined): void {
    const before = this.#names.get(form);
    for (const each of [before, name]) if (each !== undefined) this.#touched.add(each);
    if (before === name) return;
    this.#byName.move(form, before === undefined ? [] : [before], name === undefined ? [] : [name]);
    if (name === undefined) this.#names.delete(form);
    else this.#names.set(form, name);
  }

  #compare(name: string): void {
    const forms = [...this.#byName.get(name)];
    const byIdentity = new SafeMap<string, LiveForm>();
    if (forms.length > 1)
      for (const form of forms) {
        const identity = this.#identityOf(form);
        if (!byIdentity.has(identity)) byIdentity.set(identity, form);
      }
    const isConflict = byIdentity.size > 1;
    if (isConflict !== this.#conflicts.has(name)) for (const form of forms) this.#changed.add(form);
    if (!isConflict) return void this.#conflicts.delete(name);
    this.#conflicts.add(name);
    const [first, second] = [...byIdentity.values()] as [LiveForm, LiveForm];
    for (const form of forms)
      form.reportConflict(name, this.#identityOf(form) === this.#identityOf(first) ? second : first);
  }

  #identityOf(form: LiveForm): string {
    const known = this.#identities.get(form);
    if (known !== undefined) return known;
    const identity = formIdentity(form.describe().description);
    this.#identities.set(form, identity);
    return identity;
  }

  #isConflicting(form: LiveForm): boolean {
    return this.#conflicts.has(this.#names.get(form) ?? '');
  }
}
