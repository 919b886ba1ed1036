import { SafeSet } from '../../platform/collections.js';
import { queueTask } from '../../platform/tasks.js';
import type { DiscoveredForm, Registrations } from '../discovery/registrations.js';
import type { LiveForm } from './live-form.js';

/**
 * Registers forms, except those of a name that different forms have: one of them may be in content that a visitor wrote. Of
 * forms that are the same, the first is registered.
 */
export class NameConflicts {
  readonly #registrations: Registrations;
  /** The names whose forms may have changed since `settle`. */
  readonly #touched = new SafeSet<string>();
  readonly #changed = new SafeSet<DiscoveredForm>();

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  /** @param hasChanged - whether the form has to be registered again */
  set(form: DiscoveredForm, hasChanged: boolean): void {
    this.#touch(form);
    this.#registrations.claim(form);
    this.#touch(form);
    if (hasChanged) this.#changed.add(form);
    else this.#report(form);
  }

  remove(form: DiscoveredForm): void {
    this.#touch(form);
    this.#changed.delete(form);
  }

  /** Registers the changed forms, once all changes are known: two forms may be swapping names. */
  settle(): void {
    for (const name of this.#touched) this.#compare(name);
    this.#touched.clear();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const form of changed) this.#registrations.set(form);
    for (const form of changed) this.#report(form);
  }

  /** Reports later that another tool has the name of a form: two forms may be swapping their names. */
  #report(form: DiscoveredForm): void {
    const { claimed: name } = form;
    const isWaiting = (): boolean =>
      form.registered === undefined && name !== undefined && !this.#registrations.conflicts.has(name);
    if (isWaiting())
      queueTask(() => form.claimed === name && isWaiting() && form.live?.reportNameTaken(name as string));
  }

  #touch({ claimed }: DiscoveredForm): void {
    if (claimed !== undefined) this.#touched.add(claimed);
  }

  #compare(name: string): void {
    const { byName, conflicts } = this.#registrations;
    const forms = [...byName.get(name)].flatMap(({ live }) => (live?.isDescribed ? live : []));
    const identities = forms.length > 1 ? forms.map(({ identity }) => identity) : [];
    const isFirst = identities.map((identity) => identity === identities[0]);
    const isConflict = isFirst.includes(false);
    if (isConflict !== conflicts.has(name)) for (const { discovered } of forms) this.#changed.add(discovered);
    if (!isConflict) return void conflicts.delete(name);
    conflicts.add(name);
    const [first, second] = [forms[0], forms[isFirst.indexOf(false)]] as [LiveForm, LiveForm];
    for (const [index, form] of forms.entries()) form.reportNameTaken(name, isFirst[index] ? second : first);
  }
}
