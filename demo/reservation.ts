import { refuseMondays } from './no-mondays.js';

for (const input of document.querySelectorAll<HTMLInputElement>('input[type=date]')) refuseMondays(input);
