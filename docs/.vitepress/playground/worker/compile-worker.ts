import type { ComparedForm } from '../reading.js';
import { compareForms } from './compare.js';
import type { WorkerRequest, WorkerResponse } from './messages.js';
import { readPlaygroundPage } from './read-page.js';

/** The forms of the page that was read last. */
let lastForms: readonly ComparedForm[] = [];

function answer(request: WorkerRequest): WorkerResponse {
  const { id } = request;
  if (request.kind === 'compare')
    return { kind: 'compare', id, comparison: compareForms(lastForms, JSON.parse(request.forms)) };
  const { reading, compared } = readPlaygroundPage(request.source);
  lastForms = compared;
  return { kind: 'read', id, reading };
}

function answerSafely(request: WorkerRequest): WorkerResponse {
  try {
    return answer(request);
  } catch (error) {
    return { kind: 'failed', id: request.id, message: String(error) };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => self.postMessage(answerSafely(data)));
