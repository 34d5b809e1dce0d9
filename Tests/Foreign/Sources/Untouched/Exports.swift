/// The one line that a target needs where its files shall stay as they are.

@_exported import SocketStreams
