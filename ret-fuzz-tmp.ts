import { runCampaign } from './proof/campaign.ts';
import { fuzz } from './proof/fuzz.ts';
const seen = new Map<string, number>();
const { result, examples } = await runCampaign({ ...fuzz }, { engine: (process.argv[2] ?? 'sqlite') as 'sqlite', seed: 7, count: Number(process.argv[3] ?? 2000) } as never);
console.log(JSON.stringify(result)); for (const e of examples) console.log(e);
