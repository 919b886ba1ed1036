import { queueTask, startTimeout } from './tasks.js';

export const nextTask = (): Promise<void> => new Promise((resolve) => queueTask(resolve));
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void startTimeout(milliseconds, resolve));
