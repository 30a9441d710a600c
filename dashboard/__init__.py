"""The Streamlit dashboard over the published file."""
