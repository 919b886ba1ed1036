import type { Realm } from '../frames/realm.js';

/** Converts a new object to an object of a realm. */
export function inRealm<Value extends object>(realm: Realm, value: Value): Value {
  const { prototype } = realm.Object;
  return Object.getPrototypeOf(value) === prototype ? value : (Object.setPrototypeOf(value, prototype) as Value);
}
