import { liveSealed } from './histories.ts';
await liveSealed(Number(process.argv[2])).catch((e)=>console.log(e.message));
