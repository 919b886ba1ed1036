import { ckeditor5 } from './ckeditor5.js';
import { codemirror5 } from './codemirror5.js';
import { editable } from './editable.js';
import type { FindEditor } from './editor.js';
import { tinymce } from './tinymce.js';
import { trix } from './trix.js';

/** The editors that are found without a reference from the page. */
export const commonEditors: readonly FindEditor[] = [tinymce, ckeditor5, codemirror5, trix, editable];
