import sax from 'sax';
import { maxPathLength } from '../../site/pages/page-path.js';
import { maxSitemapDepth } from '../limits.js';
import { RequestError } from '../problem.js';

export interface Location {
  /** Whether it is the URL of a page or of another sitemap. */
  readonly kind: 'url' | 'sitemap';
  readonly text: string;
}

interface Reader {
  readonly write: (text: string) => readonly Location[];
  readonly end: () => readonly Location[];
}

/** Parses a sitemap as it arrives: XML, or one URL on each line. https://www.sitemaps.org/protocol.html#otherformats */
export async function* locationsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Location[]> {
  const decoder = new TextDecoder();
  let reader: Reader | undefined;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (!reader && text.trim() === '') continue;
    reader ??= text.trimStart().startsWith('<') ? new XmlReader() : new TextReader();
    yield reader.write(text);
  }
  if (reader) yield reader.end();
}

class TextReader implements Reader {
  #line = 1;
  #rest = '';

  write(text: string): readonly Location[] {
    const lines = (this.#rest + text).split(/\r\n?|\n/);
    this.#rest = lines.pop() ?? '';
    const found = lines.flatMap((line) => this.#read(line));
    if (this.#rest.length > 2 * maxPathLength) this.#refuse();
    return found;
  }

  end(): readonly Location[] {
    return this.#read(this.#rest);
  }

  #read(line: string): readonly Location[] {
    const text = line.trim();
    if (text !== '' && !/^https?:\/\/\S+$/i.test(text)) this.#refuse();
    this.#line++;
    return text === '' ? [] : [{ kind: 'url', text }];
  }

  #refuse(): never {
    const reason = `it is not a sitemap: it is not XML, and its line ${this.#line} is not a URL`;
    throw new RequestError('invalid', reason, 'Name the URL of a sitemap, or use --depth.');
  }
}

class XmlReader implements Reader {
  readonly #parser = sax.parser(true);
  readonly #open: string[] = [];
  #found: Location[] = [];
  #text = '';

  constructor() {
    const parser = this.#parser;
    const onText = (text: string): void => {
      if (this.#text.length <= maxPathLength) this.#text += text;
    };
    parser.onerror = ({ message }) => {
      throw new RequestError('invalid', `it is not valid XML (${message.slice(0, 200)})`, 'Check the sitemap.');
    };
    parser.onopentag = ({ name }) => this.#onOpen(name.replace(/^.*:/, ''));
    parser.ontext = onText;
    parser.oncdata = onText;
    parser.onclosetag = () => this.#onClose();
  }

  write(text: string): readonly Location[] {
    this.#parser.write(text);
    return this.#take();
  }

  end(): readonly Location[] {
    this.#parser.close();
    return this.#take();
  }

  #take(): readonly Location[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #onOpen(name: string): void {
    if (this.#open.length === 0 && !['urlset', 'sitemapindex'].includes(name)) {
      const advice = 'Name the URL of a sitemap, or use --depth.';
      throw new RequestError('invalid', `it is not a sitemap: its root is <${name.slice(0, 50)}>`, advice);
    }
    if (this.#open.push(name) > maxSitemapDepth) {
      throw new RequestError('invalid', `its elements have more than ${maxSitemapDepth} levels`, 'Check the sitemap.');
    }
    this.#text = '';
  }

  #onClose(): void {
    const path = this.#open.join('/');
    if (path === 'urlset/url/loc') this.#found.push({ kind: 'url', text: this.#text.trim() });
    if (path === 'sitemapindex/sitemap/loc') this.#found.push({ kind: 'sitemap', text: this.#text.trim() });
    this.#open.pop();
    this.#text = '';
  }
}
