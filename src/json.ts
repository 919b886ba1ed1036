/** JSON's own functions, captured when a module is evaluated: a page may patch them later. */
export const { parse, stringify } = JSON;
