func placeholder() {}
