// Usual mistakes in exercise 17-cloverleaf/capstone, and what is seen while some of it is to do.
#pragma once

#include <utility>

namespace course {

enum StepMistake {
  RIGHT,
  ANY_LENGTH,
  TOO_LONG,
  VELOCITIES_SWAPPED,
  WHOLE_PREDICTOR,
  OLD_PRESSURE,
  ONLY_MOVED,
  HALF_CORRECTOR,
  NEW_VELOCITIES,
  FROM_PREDICTOR,
  NO_CORRECTOR,
  NO_SWEEPS,
  ALWAYS_X_FIRST,
  OTHER_ORDER,
  ONE_DIRECTION,
  ONE_VELOCITY,
  OLD_DENSITY,
  OLD_ENERGY,
  OLD_CELLS,
  NO_FLUX,
  OLD_VELOCITIES
};

inline constexpr std::pair<StepMistake, const char *> step_mistakes[] = {
    {ANY_LENGTH, "TODO 2: the time step is max_timestep, also where the cells allow "
                 "less"},
    {TOO_LONG, "TODO 2: the time step is what the cells allow, also where "
               "max_timestep is less"},
    {VELOCITIES_SWAPPED, "TODO 2: time_step gets yvel for xvel, and xvel for yvel"},
    {WHOLE_PREDICTOR, "TODO 3: the predictor goes to the end of the step, not to its "
                      "middle"},
    {OLD_PRESSURE, "TODO 3: the nodes are moved by the pressure at the start of the "
                   "step, not by that of the predictor's density1 and energy1"},
    {ONLY_MOVED, "density and energy are as before the step: TODO 3 to TODO 5 are "
                 "not filled in yet"},
    {HALF_CORRECTOR, "TODO 4: the corrector goes to the middle of the step, not to "
                     "its end"},
    {NEW_VELOCITIES, "TODO 4: the corrector takes the velocities after the step, not "
                     "the mean ones"},
    {FROM_PREDICTOR, "TODO 4: the corrector goes on from density1 and energy1, not "
                     "from density and energy, those at the step's start"},
    {NO_CORRECTOR, "density and energy are the predictor's: TODO 4 and TODO 5 are not "
                   "filled in yet"},
    {NO_SWEEPS, "all is right up to the corrector, and TODO 5, the sweeps, is not "
                "filled in yet"},
    {ALWAYS_X_FIRST, "TODO 5: the sweep in x comes first in every step, not in every "
                     "other one"},
    {OTHER_ORDER, "TODO 5: the first step begins with the sweep in y, not in x"},
    {ONE_DIRECTION, "TODO 5: both sweeps go in the same direction"},
    {ONE_VELOCITY, "TODO 5: a sweep advects only the velocity in its direction, not "
                   "both"},
    {OLD_DENSITY, "TODO 5: advect_cells changes density1, and advect_momentum reads "
                  "its ghosts, which are as before"},
    {OLD_ENERGY, "TODO 5: the second sweep reads ghosts of energy1, which are as "
                 "before the first"},
    {OLD_CELLS, "TODO 5: ghosts of density1 and energy1 are as before the first "
                "sweep, though advect_cells changes both fields"},
    {NO_FLUX, "TODO 5: advect_momentum reads ghosts of mass_flux, which nobody "
              "updates"},
    {OLD_VELOCITIES, "TODO 5: the second sweep reads ghosts of the velocities, which "
                     "are as before the first"}};

} // namespace course
