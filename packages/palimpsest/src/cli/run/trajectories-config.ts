/** `palimpsest trajectories config`: every setting, for a file to begin with. */
import { trajectoryConfigDefaults } from '../../trajectory/settings/config.ts';
import { configText, writtenConfig } from '../../trajectory/settings/config-text.ts';
import type { Call } from '../commands/build.ts';
import { writeJson, writePieces } from '../terminal.ts';

export async function runTrajectoriesConfig({ terminal }: Call): Promise<void> {
  if (terminal.json) await writeJson(terminal, writtenConfig(trajectoryConfigDefaults));
  else await writePieces(terminal.stdout, [configText()]);
}
