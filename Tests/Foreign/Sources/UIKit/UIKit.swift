/// Stands in for the phone's module, so that a file whose one import is `UIKit` compiles as it is.

@_exported import SocketStreams
