import { computed, createApp, reactive, ref } from 'vue';
import { send, type Answer } from './send.js';

const rooms: Readonly<Record<string, number>> = { terrace: 600, cellar: 400, 'whole-house': 1500 };

function setup() {
  const inquiry = reactive({
    ...{ kind: 'birthday', date: '', guests: 20, room: 'cellar', wine: false, email: '', wishes: '' },
  });
  const answer = ref<Answer>({});
  const estimate = computed(() => (rooms[inquiry.room] ?? 0) + Number(inquiry.guests) * (inquiry.wine ? 85 : 60));
  const submit = (event: SubmitEvent): void =>
    send(event, '/api/events', inquiry, (result) => {
      answer.value = result;
    });
  return { inquiry, answer, estimate, submit };
}

const template = `<form
  toolname="request_event"
  tooldescription="Asks Osteria Lume for a private event of 13 to 60 guests. It binds nobody: the restaurant answers by e-mail."
  toolautosubmit
  @submit.prevent="submit"
>
  <div class="columns">
    <p>
      <label for="event-kind">Kind</label>
      <select id="event-kind" name="kind" v-model="inquiry.kind" toolparamdescription="Kind of event">
        <option value="birthday">Birthday</option>
        <option value="wedding">Wedding</option>
        <option value="company">Company dinner</option>
        <option value="other">Something else</option>
      </select>
    </p>
    <p>
      <label for="event-date">Date</label>
      <input id="event-date" name="date" type="date" required v-model="inquiry.date"
        toolparamdescription="Date of the event; the restaurant is closed on Mondays" />
    </p>
    <p>
      <label for="event-guests">Guests</label>
      <input id="event-guests" name="guests" type="number" min="13" max="60" required v-model="inquiry.guests"
        toolparamdescription="Number of guests" />
    </p>
  </div>
  <fieldset toolparamdescription="Room for the event">
    <legend>Room</legend>
    <div class="choices">
      <label><input type="radio" name="room" value="cellar" v-model="inquiry.room" /> Cellar</label>
      <label><input type="radio" name="room" value="terrace" v-model="inquiry.room" /> Terrace</label>
      <label><input type="radio" name="room" value="whole-house" v-model="inquiry.room" /> Whole house</label>
    </div>
  </fieldset>
  <p class="choices">
    <label><input type="checkbox" name="wine" value="yes" v-model="inquiry.wine"
      toolparamdescription="Whether wine is served with the dinner" /> With wine</label>
  </p>
  <p>
    <label for="event-email">E-mail address</label>
    <input id="event-email" name="email" type="email" autocomplete="email" required v-model="inquiry.email"
      toolparamdescription="E-mail address for the offer" />
  </p>
  <p>
    <label for="event-wishes">Wishes <small>(optional)</small></label>
    <textarea id="event-wishes" name="wishes" rows="2" maxlength="500" v-model="inquiry.wishes"
      toolparamdescription="Anything else to plan for"></textarea>
  </p>
  <p class="estimate" role="status">About <strong>€{{ estimate }}</strong> for {{ inquiry.guests || 'no' }} guests</p>
  <button>Ask for an offer</button>
  <p class="answer" :class="{ problem: answer.problems }" role="status">
    <template v-if="answer.code">We have your inquiry. Its number is {{ answer.code }}.</template>
    <template v-if="answer.problems">{{ Object.values(answer.problems).join(' ') }}</template>
  </p>
</form>`;

createApp({ setup, template }).mount('#event');
