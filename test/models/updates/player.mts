import '../harness/simulatedTime.mts';
import { playWhatIsSent } from '../harness/player.mts';
import { history } from './history.mts';
import { play } from './play.mts';
import { storyOf } from './story.mts';

playWhatIsSent({ history, play, storyOf });
