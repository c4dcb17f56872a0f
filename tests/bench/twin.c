/* The C twin of the compiled core, for the benchmark alone: deal format 1, the standard game, the
 * strategies `random` and `greedy`, and a result row a deal. Written for speed by hand, sharing
 * nothing with the Python code but the rules; its totals must be equal to the last card.
 *
 * usage: twin STRATEGY SEED FIRST_DEAL DEALS STRATEGY_KEY [REPEATS]
 * prints: seconds of the fastest repeat, wins, foundation cards, direct plays
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 13, FOUNDATIONS = 4, WASTES = 4, STOCK = 48, NEVER = 99, EMPTY = 100 };

typedef struct { uint64_t word[4]; } block_t;

static inline uint64_t high_half(uint64_t a, uint64_t b, uint64_t *low)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

static inline block_t philox(uint64_t seed, uint64_t number, uint64_t deal, uint64_t strategy)
{
    uint64_t key0 = seed, key1 = 0, w0 = number, w1 = 0, w2 = deal, w3 = strategy;
    for (int round = 0; round < 10; round++) {
        uint64_t low0, low1;
        uint64_t high0 = high_half(0xD2E7470EE14C6C93u, w0, &low0);
        uint64_t high1 = high_half(0xCA5A826395121157u, w2, &low1);
        w0 = high1 ^ w1 ^ key0;
        w1 = low1;
        w2 = high0 ^ w3 ^ key1;
        w3 = low0;
        key0 += 0x9E3779B97F4A7C15u;
        key1 += 0xBB67AE8584CAA73Bu;
    }
    return (block_t){{w0, w1, w2, w3}};
}

static const int BATCHES[4][2] = {{48, 40}, {39, 30}, {29, 19}, {18, 2}};
static uint64_t refused_below[4];
static int8_t sorted_stock[STOCK];
static int8_t sequence[FOUNDATIONS][RANKS + 2];
static int8_t position[FOUNDATIONS][RANKS + 1];

static void prepare(void)
{
    for (int b = 0; b < 4; b++) {
        uint64_t product = 1;
        for (int bound = BATCHES[b][1]; bound <= BATCHES[b][0]; bound++)
            product *= (uint64_t)bound;
        refused_below[b] = (0 - product) % product;
    }
    int cards = 0;
    for (int rank = 1; rank <= RANKS; rank++)
        for (int copy = 0; copy < (rank <= FOUNDATIONS ? 3 : 4); copy++)
            sorted_stock[cards++] = (int8_t)rank;
    for (int f = 0; f < FOUNDATIONS; f++)
        for (int n = 1; n <= RANKS; n++) {
            int rank = (n * (f + 1) - 1) % RANKS + 1;
            sequence[f][n] = (int8_t)rank;
            position[f][rank] = (int8_t)n;
        }
}

static inline void deal_stock(uint64_t seed, uint64_t deal, int8_t *stock)
{
    for (uint64_t number = 1;; number++) {
        block_t block = philox(seed, number, deal, 0);
        int accepted = 1;
        memcpy(stock, sorted_stock, STOCK);
        for (int b = 0; b < 4; b++) {
            uint64_t word = block.word[b];
            for (int bound = BATCHES[b][0]; bound >= BATCHES[b][1]; bound--) {
                uint64_t drawn = high_half(word, (uint64_t)bound, &word);
                int8_t card = stock[drawn];
                stock[drawn] = stock[bound - 1];
                stock[bound - 1] = card;
            }
            accepted &= word >= refused_below[b];
        }
        if (accepted)
            return;
    }
}

typedef struct {
    int8_t count[FOUNDATIONS], need[FOUNDATIONS];
    int8_t height[WASTES], top[WASTES];
    int8_t waste[WASTES][STOCK];
    int direct;
    uint64_t seed, deal, strategy, used;
    block_t draws;
} game_t;

static inline uint64_t half_word(game_t *g)
{
    uint64_t half = g->used & 7;
    if (half == 0)
        g->draws = philox(g->seed, g->used / 8 + 1, g->deal, g->strategy);
    g->used++;
    uint64_t word = g->draws.word[half / 2];
    return half & 1 ? word >> 32 : word & 0xFFFFFFFFu;
}

static inline int random_below(game_t *g, uint64_t bound)
{
    uint64_t product = half_word(g) * bound;
    if ((uint32_t)product < bound) {
        uint64_t refused = (1ull << 32) % bound;
        while ((uint32_t)product < refused)
            product = half_word(g) * bound;
    }
    return (int)(product >> 32);
}

static inline int foundation_for(const game_t *g, int rank)
{
    for (int f = 0; f < FOUNDATIONS; f++)
        if (g->need[f] == rank)
            return f;
    return -1;
}

static inline void put(game_t *g, int f)
{
    g->count[f]++;
    g->need[f] = sequence[f][g->count[f] + 1];
}

static inline void play_tops(game_t *g)
{
    for (int w = 0; w < WASTES;) {
        int f = g->height[w] ? foundation_for(g, g->top[w]) : -1;
        if (f < 0) {
            w++;
            continue;
        }
        put(g, f);
        g->height[w]--;
        g->top[w] = g->height[w] ? g->waste[w][g->height[w] - 1] : 0;
        w = 0;
    }
}

static inline int need_distance(const game_t *g, int rank)
{
    int nearest = NEVER;
    for (int f = 0; f < FOUNDATIONS; f++) {
        int distance = position[f][rank] - 1 - g->count[f];
        if (distance >= 0 && distance < nearest)
            nearest = distance;
    }
    return nearest;
}

static inline int place_random(game_t *g) { return random_below(g, WASTES); }

static inline int place_greedy(game_t *g)
{
    int best = 0, farthest = -1;
    for (int w = 0; w < WASTES; w++) {
        int distance = g->height[w] ? need_distance(g, g->top[w]) : EMPTY;
        if (distance > farthest) {
            farthest = distance;
            best = w;
        }
    }
    return best;
}

#define PLAY_DEALS(name, place)                                                                   \
    static void name(uint64_t seed, uint64_t first, uint64_t deals, uint64_t key,                 \
                     uint8_t *foundations, uint8_t *direct, uint64_t *counts)                     \
    {                                                                                             \
        int8_t stock[STOCK];                                                                      \
        game_t g;                                                                                 \
        for (uint64_t i = 0; i < deals; i++) {                                                    \
            deal_stock(seed, first + i, stock);                                                   \
            for (int f = 0; f < FOUNDATIONS; f++) {                                               \
                g.count[f] = 1;                                                                   \
                g.need[f] = sequence[f][2];                                                       \
            }                                                                                     \
            memset(g.height, 0, sizeof g.height);                                                 \
            memset(g.top, 0, sizeof g.top);                                                       \
            g.direct = 0;                                                                         \
            g.seed = seed, g.deal = first + i, g.strategy = key, g.used = 0;                      \
            for (int c = 0; c < STOCK; c++) {                                                     \
                int card = stock[c], f = foundation_for(&g, card);                                \
                if (f >= 0) {                                                                     \
                    put(&g, f);                                                                   \
                    g.direct++;                                                                   \
                    play_tops(&g);                                                                \
                } else {                                                                          \
                    int w = place(&g);                                                            \
                    g.waste[w][g.height[w]++] = (int8_t)card;                                     \
                    g.top[w] = (int8_t)card;                                                      \
                }                                                                                 \
            }                                                                                     \
            int cards = 0;                                                                        \
            for (int f = 0; f < FOUNDATIONS; f++) {                                               \
                foundations[f * deals + i] = (uint8_t)g.count[f];                                 \
                cards += g.count[f];                                                              \
            }                                                                                     \
            direct[i] = (uint8_t)g.direct;                                                        \
            counts[cards]++;                                                                      \
        }                                                                                         \
    }

PLAY_DEALS(play_random, place_random)
PLAY_DEALS(play_greedy, place_greedy)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: twin random|greedy SEED FIRST_DEAL DEALS STRATEGY_KEY [REPEATS]\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[2], 0, 10), first = strtoull(argv[3], 0, 10);
    uint64_t deals = strtoull(argv[4], 0, 10), key = strtoull(argv[5], 0, 10);
    int repeats = argc > 6 ? atoi(argv[6]) : 1;
    uint8_t *foundations = malloc(FOUNDATIONS * deals), *direct = malloc(deals);
    uint64_t counts[FOUNDATIONS * RANKS + 1];
    double fastest = 1e9;
    if (!foundations || !direct)
        return 1;
    memset(foundations, 0, FOUNDATIONS * deals);
    memset(direct, 0, deals);
    prepare();
    for (int repeat = 0; repeat < repeats; repeat++) {
        memset(counts, 0, sizeof counts);
        double start = now();
        if (strcmp(argv[1], "greedy") == 0)
            play_greedy(seed, first, deals, key, foundations, direct, counts);
        else
            play_random(seed, first, deals, key, foundations, direct, counts);
        double seconds = now() - start;
        if (seconds < fastest)
            fastest = seconds;
    }
    uint64_t cards = 0, direct_plays = 0;
    for (int c = 0; c <= FOUNDATIONS * RANKS; c++)
        cards += (uint64_t)c * counts[c];
    for (uint64_t i = 0; i < deals; i++)
        direct_plays += direct[i];
    printf("%.9f %llu %llu %llu\n", fastest, (unsigned long long)counts[FOUNDATIONS * RANKS],
           (unsigned long long)cards, (unsigned long long)direct_plays);
    free(foundations);
    free(direct);
    return 0;
}
