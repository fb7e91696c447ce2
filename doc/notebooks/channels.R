# The same data in R: loads and channels from CSV files, with nothing but R itself.
#
#   flitreplay traffic --topology mesh:8x8 --topology torus:8x8 --load 0.1:0.5:0.1 --csv traffic.csv
#   flitreplay run generate:all-to-all,ranks=64,iterations=1 --topology mesh:8x8 --csv channels.csv
#   Rscript channels.R traffic.csv channels.csv figure.pdf
files <- commandArgs(trailingOnly = TRUE)

# Throughput over offered load, a line for each network.
points <- read.csv(files[1])
print(aggregate(accepted_load ~ topology, points, max))
pdf(files[3])
plot(accepted_load ~ offered_load, points, type = "n", xlab = "offered load (flits per cycle and node)",
     ylab = "accepted load (flits per cycle and node)")
names <- unique(points$topology)
for (i in seq_along(names)) lines(accepted_load ~ offered_load, points[points$topology == names[i], ], col = i)
legend("topleft", names, col = seq_along(names), lty = 1)

# The mean load of the channels of each class in each column of the network.
channels <- read.csv(files[2])
place <- strsplit(as.character(channels$source_coordinates), " ")
channels$x <- as.integer(sapply(place, "[", 1))
loads <- aggregate(load ~ class + x, channels, mean)
print(loads)
plot(load ~ x, loads[loads$class == "X", ], type = "h", lwd = 8, ylim = c(0, max(loads$load)),
     ylab = "mean load of the channels in X")
invisible(dev.off())
