// Words that people make passwords of. password-rule.ts refuses a password that is one of these in some decoration (digits,
// symbols, capitals, look-alike letters, repetition), and dates, runs and keyboard walks.

/** Lower-case, letters only. */
export const commonWords: ReadonlySet<string> = new Set(
  `
  password passwort passwd passphrase passcode pass secret secrets geheim private privat access login logon signin letmein
  letmeinnow openup opensesame welcome welcomeback willkommen hello hallo hellothere goodbye goodmorning goodnight default
  changeme changeit changethis change please pleasechange temp temporary temppass test testing tester testtest demo sample example guest
  user username admin administrator adminadmin root rootroot superuser sysadmin system server master mastermaster manager
  operator service support helpdesk office company business computer laptop desktop keyboard monitor internet network wireless
  website webmaster database oracle mysql postgres backup security secure private unlock trustno trustnoone trustme nopassword
  mypassword mypass yourpassword thepassword newpassword oldpassword password password passwordpassword blank nothing whatever
  iloveyou iloveu loveyou ilovegod ilovemyself ilovejesus lovely loveme lover lovers love loveyouforever forever together
  always honey honeybunny sweet sweetie sweetheart sweetpea darling babe baby babygirl babyboy angel angels princess prince
  queen king kings sunshine sunflower sunrise sunset sunny summer winter spring autumn fall season january february march april
  may june july august september october november december monday tuesday wednesday thursday friday saturday sunday weekend holiday
  vacation christmas easter halloween birthday happy happyday happiness smile smiley sunday morning evening midnight tonight
  monkey dragon tiger lion eagle falcon panther jaguar leopard cheetah puma wolf wolves bear bears fox rabbit bunny kitten
  kitty cat cats dog dogs doggy puppy horse horses pony cow chicken duck turtle dolphin shark whale butterfly spider snake
  bird birdie phoenix unicorn dinosaur elephant giraffe hamster penguin raven hawk mustang bulldog poodle labrador beagle
  football soccer baseball basketball hockey tennis golf golfer cricket rugby boxing wrestling swimming running runner skating skateboard
  snowboard surfing surfer fishing hunter hunting racing racer player players playboy gamer games game gaming champion champions winner
  liverpool arsenal chelsea manchester barcelona realmadrid juventus milan inter bayern dortmund ajax celtic rangers everton
  yankees redsox lakers cowboys steelers eagles patriots packers raiders dolphins broncos giants dodgers cubs braves
  superman batman spiderman ironman wolverine hulk thor captain avengers joker superstar superhero starwars skywalker jedi yoda
  vader darthvader startrek enterprise matrix neo trinity gandalf frodo hobbit aragorn legolas harry potter harrypotter hogwarts dumbledore
  voldemort pokemon pikachu charizard mario luigi zelda sonic minecraft fortnite roblox warcraft starcraft diablo counterstrike
  halo callofduty playstation nintendo xbox naruto sasuke goku dragonball vegeta onepiece hellokitty mickey mickeymouse minnie
  donald snoopy scooby scoobydoo garfield tweety simpson simpsons homer bart southpark cartman spongebob patrick disney pixar
  michael michelle jennifer jessica ashley amanda daniel david robert william joseph thomas charles christopher chris matthew andrew
  anthony joshua jordan jason justin brandon ryan kevin brian steven stephen george edward richard ronald kenneth timothy
  alexander alex alexis alexandra nicholas nicole natalie samantha sarah sara laura lauren rachel rebecca elizabeth emily emma
  hannah olivia sophia sophie isabella victoria charlotte amelia maria marie mary anna anne andrea angela angelina barbara
  patricia linda susan karen nancy lisa betty margaret sandra donna carol ruth sharon melissa stephanie heather maggie
  charlie buster jack jackson james john johnny jonathan peter paul mark lucas luke liam noah oliver oscar leo max maximus
  maxwell sam samuel sammy simon felix hunter tyler taylor austin dallas dakota chelsea brooklyn paris london berlin madrid
  moscow newyork boston chicago houston texas florida california america american canada mexico brazil england ireland scotland
  france germany italy spain russia china japan india australia africa europe world earth planet universe galaxy
  cocacola pepsi coffee coffeecoffee chocolate cookie cookies cupcake candy sugar cheese cheesecake pizza burger hamburger banana apple
  apples orange oranges cherry strawberry blueberry raspberry pineapple watermelon lemon peaches peach mango coconut pepper
  ginger cinnamon vanilla butter bacon chicken nugget nuggets tequila whisky whiskey vodka beer budweiser heineken guinness
  purple yellow black white green blue red pink silver golden gold orange violet rainbow crystal diamond diamonds ruby sapphire emerald
  pearl jasmine rose roses flower flowers daisy lily lotus tulip orchid ocean river mountain forest desert island beach
  thunder lightning storm stormy snow snowball snowflake snowman winter ice fire firefire fireball flame water earthquake hurricane tornado
  freedom liberty justice peace hope faith grace heaven hell devil demon satan lucifer jesus jesuschrist christ god godisgood
  bible church blessed blessing buddha allah krishna ganesh shiva mohammed muhammad prayer spirit soul destiny miracle magic
  wizard witch vampire zombie ghost ninja samurai pirate warrior soldier sniper killer assassin hitman gangster thug
  rockstar rocknroll metallica nirvana slipknot linkinpark greenday blink eminem tupac beatles elvis madonna britney shakira
  beyonce rihanna guitar drummer drums piano music musica dance dancer dancing singer rapper hiphop reggae bobmarley
  ferrari porsche mercedes bmw audi toyota honda nissan ford chevy chevrolet corvette camaro mustang harley harleydavidson yamaha
  suzuki kawasaki ducati subaru volvo lexus jaguar lamborghini bugatti google facebook twitter instagram youtube amazon netflix
  microsoft windows apple macintosh iphone android samsung nokia motorola linux ubuntu debian python java javascript hacker
  hacking matrix terminator robocop rambo rocky godfather scarface titanic gladiator avatar inception casino poker blackjack lucky
  luckyme luckyone jackpot money moneymoney cash dollar dollars rich million millionaire billion billionaire success bigboss boss
  bigdaddy daddy daddysgirl mommy mother father brother sister family friend friends friendship bestfriend bestfriends boyfriend
  girlfriend husband wife children grandma grandpa sexy sexygirl sexyboy hotgirl hotboy hottie beautiful beauty pretty cute cutie cutiepie
  handsome awesome amazing fantastic wonderful perfect excellent brilliant genius smart clever crazy insane stupid idiot dumb loser
  nobody somebody anybody everyone someone something anything everything never always maybe because therefore whatever abcdef
  abcabc abcd alphabet asdf asdfasdf qwerty qwertyui qwertyuiop azerty azertyuiop qwertz zxcvbn zxcvbnm asdfgh asdfghjkl
  qazwsx qazwsxedc qweasd qweasdzxc poiuyt poiuytrewq lkjhgf mnbvcxz dvorak onetwothree onetwothreefour three four five
  number one numberone first second third ichliebedich schatz schatzi passwortpasswort sommer winter fruehling herbst hallohallo fussball
  deutschland berlin motdepasse bonjour soleil jetaime amour chouchou doudou loulou france azertyazerty contrasena teamo tequiero amor
  amorcito mivida princesa estrella futbol barcelona hola holahola senha brasil flamengo corinthians saudade meuamor
  ciao ciaociao amore amoremio juventus napoli forzamilan welkom wachtwoord welkomwelkom haslo polska kocham parola sifre galatasaray fenerbahce
  besiktas jelszo heslo lozinka ljubav privet parol natasha lyubov wodemima woaini nihao mima mimamima annyeong sarang
  posthaste taskmanager taskmaster task tasks todo todolist todos reminder reminders productivity planner organizer notes notebook
  correcthorsebatterystaple correcthorse batterystaple thisismypassword thisisapassword myvoiceismypassport ilovemymom ilovemydad
  ilovemycat ilovemydog ihatepasswords ihateyou fuckyou fuckoff fuckme asshole bullshit shithead bitch bastard pussy dick
  penis suckit sucker blowjob hardcore porn boobs trustno letmein opendoor opendoors backdoor entrance gateway
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
);
