import '../harness/flowingTime.mts';
import './logged.mts';
import { playWhatIsSent } from '../harness/player.mts';
import { history } from './history.mts';
import { playAndJudge } from './play.mts';
import { Service } from './service.mts';
import { storyOf } from './story.mts';

const service = await Service.start();

playWhatIsSent({
	history,
	play: async (one, log) => await playAndJudge(one, service, log),
	storyOf,
	end: async () => await service.stop(),
});
