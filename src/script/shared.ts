/** The exports of a script that the next one uses. The build replaces this module. */
export const shared: readonly unknown[] = [];
