// Whether the server has plans, apart from the part that shows them: commands ask this while the first rows are loaded.
import type { plansFeature } from '#wire/features.ts';
import type { Program } from '../app/program.ts';

/** Only the type is imported: the list of features would come with it. */
const PLANS: typeof plansFeature = 'plans';

/** Whether this server has plans. Its last answer decides, also of an earlier run. */
export const hasPlans = ({ engine }: Program): boolean => engine.facts().features.includes(PLANS);
