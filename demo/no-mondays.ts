const isMonday = (date: string): boolean => new Date(`${date}T12:00`).getDay() === 1;

/** Makes Mondays invalid, because the restaurant is closed on Mondays. */
export function refuseMondays(input: HTMLInputElement): void {
  const check = (): void => input.setCustomValidity(isMonday(input.value) ? 'We are closed on Mondays.' : '');
  input.addEventListener('input', check);
  check();
}
