export interface Dish {
  readonly id: string;
  readonly name: string;
  readonly course: string;
  /** In whole euros. */
  readonly price: number;
  readonly ingredients: string;
  /** Separated by spaces. */
  readonly diets: string;
}

const dish = (name: string, course: string, price: number, ingredients: string, diets = ''): Dish => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  ...{ name, course, price, ingredients, diets },
});

export const dishes: readonly Dish[] = [
  dish('Charred leeks', 'starters', 12, 'Hazelnuts, brown butter, aged pecorino', 'vegetarian gluten-free'),
  dish('Tomatoes and peaches', 'starters', 10, 'Basil, cold-pressed olive oil', 'vegetarian vegan gluten-free'),
  dish('Marinated anchovies', 'starters', 11, 'Lemon, fennel, grilled bread'),
  dish('Chickpea soup', 'starters', 9, 'Rosemary, black pepper, toasted bread', 'vegetarian vegan'),
  dish('Tagliolini with clams', 'mains', 18, 'White wine, garlic, parsley, a little chilli'),
  dish('Grilled sea bream', 'mains', 24, 'Salsa verde, potatoes, bitter leaves', 'gluten-free'),
  dish('Pumpkin gnocchi', 'mains', 16, 'Sage, smoked ricotta', 'vegetarian'),
  dish('White bean stew', 'mains', 15, 'Tuscan kale, rosemary oil', 'vegetarian vegan gluten-free'),
  dish('Braised rabbit', 'mains', 22, 'Olives, polenta, bay leaf', 'gluten-free'),
  dish('Olive oil cake', 'desserts', 8, 'Poached apricots, whipped ricotta', 'vegetarian'),
  dish('Lemon sorbet', 'desserts', 6, 'With or without prosecco', 'vegetarian vegan gluten-free'),
  dish('Hazelnut tart', 'desserts', 9, 'Dark chocolate, sea salt', 'vegetarian'),
];

export const courses: Readonly<Record<string, string>> = {
  starters: 'Starters',
  mains: 'Mains',
  desserts: 'Desserts',
};
