// Words that two devices show for a person to compare: one for each byte, short and common.

/** By byte, in the order of the alphabet. They never change: both devices have to say the same. */
export const spokenWords: readonly string[] = (
  'acorn actor agent album alley amber anchor angle ankle apple apron arrow atlas attic award bacon badge baker ' +
  'bamboo banjo barrel basket beach beacon beaver bench berry bishop blanket blossom bottle boulder branch ' +
  'bread breeze bridge broom bucket buffalo bundle butter button cabin cactus camel camera candle canoe canvas ' +
  'carbon carpet carrot castle cedar cellar cement cherry chimney cider circus clarinet clever cliff cloud ' +
  'clover cobalt coffee comet compass copper coral cotton cousin coyote cradle crayon cricket crystal cushion ' +
  'daisy dancer desert diamond dinner dolphin donkey dragon drawer driver eagle early earth easel echo elbow ' +
  'elder engine escort fabric falcon farmer feather fiddle finger flame flute forest fossil fountain foxglove ' +
  'fridge galaxy garden garlic gecko ginger giraffe glacier glove goblin golden gravel guitar hammer harbor ' +
  'harvest hazel helmet hermit heron hollow honey hunter iceberg igloo indigo insect island ivory jacket jaguar ' +
  'jelly jigsaw jungle kernel kettle kitchen kitten ladder lagoon lantern laurel lemon leopard letter lilac ' +
  'lizard lobster locket lumber magnet mango maple marble market meadow melon mirror mitten monkey mosaic motor ' +
  'mountain muffin museum napkin nectar needle nickel noodle nugget oasis ocean olive onion orange orchid otter ' +
  'oyster paddle palace panda paper parrot pebble pencil pepper piano pigeon pillow pilot planet plaza pocket ' +
  'pollen pony potato pumpkin puzzle quartz quilt rabbit radio ribbon river robin rocket saddle sailor salmon ' +
  'sandal saucer shadow shovel silver sketch spider spoon squash stable sugar summer sunset tablet teapot ' +
  'temple thunder tiger timber tomato tulip tunnel turtle umbrella valley velvet village violin wagon walnut ' +
  'willow window winter yellow zebra zipper'
).split(' ');
