// Programs include it beside others, and need nothing of it that the CPU backend would have.
#pragma once
