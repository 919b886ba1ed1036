import { clearInterval, queueTask, setInterval, setTimeout } from './tasks.js';

export type Timer = ReturnType<typeof setInterval>;

export const startTimeout = (milliseconds: number, steps: () => void): Timer => setTimeout(steps, milliseconds);
export const startInterval = (milliseconds: number, steps: () => void): Timer => setInterval(steps, milliseconds);
export const stopTimer = (timer: Timer | undefined): void => clearInterval(timer);

export const nextTask = (): Promise<void> => new Promise((resolve) => queueTask(resolve));
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void startTimeout(milliseconds, resolve));
