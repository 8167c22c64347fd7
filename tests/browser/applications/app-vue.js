import { createApp, defineAsyncComponent, ref } from 'vue';

const Late = defineAsyncComponent(() => new Promise((resolve) =>
  setTimeout(resolve, 250, { template: '<p>The async component has come.</p>' })));
createApp({
  components: { Late },
  setup() {
    const open = ref(false), rows = [['Alder', 12], ['Birch', 15], ['Cedar', 21]];
    return { open, rows };
  },
  template: `<main><h1>Trees of the park</h1>
    <table><thead><tr><th>Tree</th><th>Height</th></tr></thead>
    <tbody><tr v-for="[name, height] in rows" :key="name"><td>{{ name }}</td><td>{{ height }} m</td></tr></tbody></table>
    <Suspense><Late/><template #fallback>Waiting placeholder</template></Suspense>
    <button aria-controls="more" :aria-expanded="open" @click="open = !open">How they grow</button>
    <div id="more" v-show="open"><p>They grow by a metre a year.</p></div>
    <p v-if="open">Never rendered.</p>
    <Transition appear name="fade"><p>A line that fades in.</p></Transition>
    <Teleport to="#notices"><p>A notice by teleport.</p></Teleport></main>`,
}).mount('#root');
