/// From a request for a search to the index of the store and back. Nothing is shown that the asker
/// may not read, also where that has changed meanwhile.

import ChatHub
import ChatModel
package import Stores

