# Prints the segments of X12 files as X12::Parser reads them, each followed by NUL.
use strict;
use warnings;
use File::Temp qw(tempfile);
use X12::Parser;

# The loops of every file: the module has tables of health care only.
my ( $handle, $table ) = tempfile( UNLINK => 1 );
print $handle "[LOOPS]\nISA\nGS\nST\nSE\nGE\nIEA\n\n";
for my $loop (qw(ISA GS ST SE GE IEA)) {
    print $handle "[$loop]\nsegment=${loop}:::${loop}:R:1\n\n";
}
close $handle;

for my $file (@ARGV) {
    print "\0FILE\n";
    my $parser = X12::Parser->new;
    $parser->parsefile( file => $file, conf => $table );
    while ( defined $parser->get_next_loop ) {
        print "$_\0" for $parser->get_loop_segments;
    }
}
