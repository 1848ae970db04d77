# STM32F405 (Cortex-M4F) with its own memory map
BOARD_TOOL := arm-none-eabi-
BOARD_PORT := cortex_m
BOARD_PROFILE := m4f
BOARD_CPU := -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
# one moving body on planes: what the small part is for
BOARD_LIMITS := -DECP_WITH_PAIRS=0 -DECP_MAX_MOVING=1
BOARD_WITHOUT := box_stack bridge dominoes gripper pusher sphere_on_spheres table_edge v_groove
BOARD_OPT := -Os
BOARD_START := firmware/common/start_cortex_m.c
BOARD_QEMU := qemu-system-arm -M netduinoplus2
# what fits beside a world in 128 KiB
BOARD_UNITS := vec3 quat fb project dense newton island lemke
