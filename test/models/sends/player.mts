import '../harness/flowingTime.mts';
import { playWhatIsSent } from '../harness/player.mts';
import { history } from './history.mts';
import { play } from './play.mts';
import { Service } from './service.mts';
import { storyOf } from './story.mts';

const service = await Service.start();

playWhatIsSent({
	history,
	play: async (one, log) => await play(one, service, log),
	storyOf,
	end: service.stop,
});
