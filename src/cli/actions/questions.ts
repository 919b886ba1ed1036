import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Thrown when the user presses Ctrl-C or ends the input. */
export class Stop extends Error {}

/** Questions in a terminal, one per line. */
export class Questions {
  readonly #lines: Interface;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#lines = createInterface({ input, output, terminal: true });
    this.#output = output;
  }

  show(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** Asks for one of several words, of which the first letter is enough. */
  async choose<Choice extends string>(message: string, choices: readonly Choice[], initial: Choice): Promise<Choice> {
    for (;;) {
      const answer = (await this.#ask(`${message} (${initial}): `)).toLowerCase();
      const choice = answer === '' ? initial : choices.find((each) => each.startsWith(answer));
      if (choice !== undefined) return choice;
      this.show(`Expected ${choices.join(', ')}, or the first letter of one.`);
    }
  }

  async confirm(message: string, initial: boolean): Promise<boolean> {
    return (await this.choose(message, ['yes', 'no'], initial ? 'yes' : 'no')) === 'yes';
  }

  /** Prompts for a string, initially `initial`, until `problem` returns undefined. */
  async text(message: string, initial: string, problem: (value: string) => string | undefined): Promise<string> {
    for (let value = initial; ;) {
      value = await this.#ask(`${message}: `, value);
      const found = problem(value);
      if (found === undefined) return value;
      this.show(found);
    }
  }

  close(): void {
    this.#lines.close();
  }

  async #ask(query: string, initial = ''): Promise<string> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    this.#lines.once('SIGINT', stop).once('close', stop);
    try {
      const answer = this.#lines.question(query, { signal: controller.signal });
      if (initial !== '') this.#lines.write(initial);
      return (await answer).trim();
    } catch {
      this.#output.write('\n');
      throw new Stop();
    } finally {
      this.#lines.off('SIGINT', stop).off('close', stop);
    }
  }
}
