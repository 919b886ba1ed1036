/** A lazily loaded view. */
export class LazyView<View> {
  view: View | undefined;
  readonly #load: () => Promise<View>;
  readonly #onLoad: () => void;
  #loading: Promise<View> | undefined;

  constructor(load: () => Promise<View>, onLoad: () => void) {
    this.#load = load;
    this.#onLoad = onLoad;
  }

  load(): Promise<View> {
    return (this.#loading ??= this.#start());
  }

  /** Returns the view, or starts loading it. */
  get(): View | undefined {
    void this.load();
    return this.view;
  }

  async #start(): Promise<View> {
    this.view = await this.#load();
    this.#onLoad();
    return this.view;
  }
}
