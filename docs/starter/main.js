const output = document.querySelector('output');

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { guests, seat } = event.target.elements;
  const answer = `A table for ${guests.value}, ${seat.value === 'in' ? 'inside' : 'outside'}`;
  if (event.agentInvoked) event.respondWith(answer);
  else output.value = answer;
});

document.querySelector('#call').addEventListener('click', async () => {
  const [tool] = await document.modelContext.getTools();
  output.value = await document.modelContext.executeTool(tool, { guests: 4, seat: 'out' });
});
